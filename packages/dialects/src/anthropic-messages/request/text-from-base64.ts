/** Known to every runtime, though to no language level. */
declare function atob(data: string): string
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string }

export function textFromBase64(data: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0)))
}
