// Blocks of data: base64 → deflate (RFC 1951) → JSON.

// The value that stands in the data block of this name; a promise.
function unpacked(name) {
  if (!window.DecompressionStream) throw new Error("this browser is older than 2023 and cannot unpack the data of this page");
  const letters = atob(document.getElementById(name).textContent);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k += 1) bytes[k] = letters.charCodeAt(k);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
}
