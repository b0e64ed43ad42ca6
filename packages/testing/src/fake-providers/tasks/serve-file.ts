import type { ServerResponse } from 'node:http'

/** A whole picture of one pixel. */
export const FAKE_IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const FAKE_SONG = Buffer.alloc(20_000, 'the tide comes in ')
export const FAKE_VIDEO = Buffer.alloc(200_000, 'waves ')

/** Serves what a task made; no key is needed. Returns false for paths where there is no file. */
export function serveFile(path: string, response: ServerResponse): boolean {
  if (/^\/images\/[^/]+\.png$/.test(path)) send(response, 'image/png', FAKE_IMAGE)
  else if (/^\/songs\/[^/]+\.mp3$/.test(path)) send(response, 'audio/mpeg', FAKE_SONG)
  else return false
  return true
}

export function send(response: ServerResponse, type: string, bytes: Buffer): void {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes)
}
