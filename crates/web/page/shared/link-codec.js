// A level, a map or a game in a link: its text, compressed, behind the `#`, so that it goes to
// no server's log.

/**
 * A text as a link has it.
 * @param {string} text
 */
export async function encodeLink(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let signs = "";
  for (const byte of bytes) signs += String.fromCharCode(byte);
  return btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** No level and no map is longer, in characters. */
const LONGEST = 60_000;

/**
 * What was encodeLink; throws where it is damaged, or longer than so many characters.
 * @param {string} link
 * @param {number} [longest]
 */
export async function decodeLink(link, longest = LONGEST) {
  const signs = atob(link.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(signs, (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  // a few bytes can stand for very many
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
