/** One event of a stream: its name twice, for clients that read only one of the places. */
export function eventFrame(type: string, members: string): string {
  return `event: ${type}\ndata: {"type":"${type}",${members}}\n\n`
}
