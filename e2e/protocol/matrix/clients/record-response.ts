/** A fetch that keeps the last raw response, for checks behind the SDK. */
export function tap(): { fetch: typeof fetch; raw(): Promise<string> } {
  let last: Promise<string> = Promise.resolve('')
  return {
    async fetch(input, init) {
      const response = await fetch(input, init)
      // A broken connection keeps what arrived; nothing may await the copy when it breaks.
      last = readAll(response.clone())
      return response
    },
    raw: () => last,
  }
}

async function readAll(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const part of response.body ?? []) text += decoder.decode(part, { stream: true })
  } catch {
    // what had come is what there is
  }
  return text
}
