// Encodes a level, a map or a game in the fragment of a link: the text, deflated, as base64url
// (RFC 4648). A fragment is never sent to a server, so it appears in no log.

/**
 * Deflates a text and encodes it for a link.
 * @param {string} text
 */
export async function encodeLink(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let signs = "";
  for (const byte of bytes) signs += String.fromCharCode(byte);
  return btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The longest text of a level or map, in characters. */
const LONGEST = 60_000;

/**
 * Decodes the text of a link. Throws where it is damaged or longer than `longest` characters.
 * @param {string} link
 * @param {number} [longest]
 */
export async function decodeLink(link, longest = LONGEST) {
  const signs = atob(link.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(signs, (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  // read in pieces: a few bytes can inflate to very many
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > longest) {
      await reader.cancel();
      throw new Error("too long");
    }
  }
}
