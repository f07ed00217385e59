// Where the program and the scripts of its workers come from: files on a host, or what a copy of the
// page has inside.

import { inside } from "./inside.js";

/** A function that makes a vector: to a browser without SIMD it is no program. */
const VECTOR = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11]);

/**
 * The file of a program: a browser without SIMD has one of its own, which is slower.
 * @param {string} program
 */
export function fileOf(program) {
  return WebAssembly.validate(VECTOR) ? `${program}.wasm` : `${program}-plain.wasm`;
}

/**
 * @param {URL} folder
 * @param {string} program
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(folder, program) {
  const name = fileOf(program);
  const packed = await inside(name);
  if (packed !== null) {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(plain).arrayBuffer());
  }
  const address = new URL(name, folder);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`);
  // a server that does not know the type of the file is asked for its bytes
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * The address of a worker's script. A browser starts none from another host, so such a script is
 * fetched and begins as text.
 * @param {URL} folder
 * @param {string} name
 */
export async function scriptAddress(folder, name) {
  const address = new URL(name, folder);
  const text = (await inside(name)) ?? (address.origin === location.origin ? null : await (await fetch(address)).text());
  return text === null ? address.href : URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}
