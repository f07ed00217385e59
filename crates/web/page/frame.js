// Decodes frames of the WebSocket: cell states, or a density for each pixel (src/frame.rs).

/** @import { FrameHeader } from "./types.js" */

export class Frame {
  /**
   * @param {FrameHeader} header
   * @param {Uint8Array} content bits, bytes or density levels
   * @param {Uint8Array | null} marks
   */
  constructor(header, content, marks) {
    this.header = header;
    this.content = content;
    this.marks = marks;
    this.x = BigInt(header.kind === "density" ? 0 : header.x);
    this.y = BigInt(header.kind === "density" ? 0 : header.y);
  }

  /** Columns of the content: cells, or pixels of a density. */
  get width() {
    return this.header.kind === "density" ? this.header.width : this.header.w;
  }

  /** Rows of the content. */
  get height() {
    return this.header.kind === "density" ? this.header.height : this.header.h;
  }

  /** Bytes in a row of the content. */
  get stride() {
    const { kind, w, width } = this.header;
    if (kind === "density") return width;
    return kind === "bits" ? (w + 7) >> 3 : w;
  }

  /**
   * The state of a cell, or null where the frame does not contain it.
   * @param {bigint} x
   * @param {bigint} y
   */
  state(x, y) {
    const { kind, w, h } = this.header;
    if (kind === "density") return null;
    const column = Number(x - this.x);
    const row = Number(y - this.y);
    if (column < 0 || row < 0 || column >= w || row >= h) return null;
    return this.stateAt(column, row);
  }

  /**
   * The state of a cell of the content by its column and row, which must be in it.
   * @param {number} column
   * @param {number} row
   */
  stateAt(column, row) {
    if (this.header.kind === "bytes") return this.content[row * this.header.w + column];
    return (this.content[row * this.stride + (column >> 3)] >> (7 - (column & 7))) & 1;
  }
}

/**
 * @param {ArrayBuffer} buffer
 * @returns {Frame}
 */
export function decode(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, 4, length));
  /** @type {FrameHeader} */
  const header = JSON.parse(text);
  const payload = new Uint8Array(buffer, 4 + length);
  const size =
    header.kind === "density"
      ? header.width * header.height
      : header.h * (header.kind === "bits" ? (header.w + 7) >> 3 : header.w);
  // a density has marks where another world is laid over it
  const area = header.kind === "density" ? header.width * header.height : header.w * header.h;
  const total = size + (header.marks ? area : 0);
  if (payload.length < total) throw new Error(`a frame of ${payload.length} bytes, ${total} were announced`);
  return new Frame(header, payload.subarray(0, size), header.marks ? payload.subarray(size, total) : null);
}
