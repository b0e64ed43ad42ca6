import { asList, asTree, parseTree, type Tree } from '@tidegate/dialects'
import { NO_USAGE, pieceUsage, transcriptionTokens, type Usage } from '@tidegate/pricing'
import { countTokens } from '../count-tokens/index.ts'
import type { OperationRequest } from './operation-request.ts'

/** What a call is taken for before it is made. */
export function expectedOf({ work }: OperationRequest, promptTokens: number): Usage {
  switch (work.kind) {
    case 'tokens':
      return { ...NO_USAGE, input: promptTokens }
    case 'letters':
      return { ...NO_USAGE, input: work.letters }
    case 'images':
      return pieceUsage(work.count)
    case 'sound':
      return { ...NO_USAGE, input: transcriptionTokens(work.seconds) }
  }
}

/** What it used, by the vendor's counts where it gives them. `answer` is missing for sound and texts. */
export async function usedBy(request: OperationRequest, model: string, answer: Tree | undefined): Promise<Usage> {
  const { work } = request
  switch (work.kind) {
    case 'tokens': {
      const told = countsIn(answer)
      if (told) return told
      const counted = await countTokens(model, request.texts)
      return { ...NO_USAGE, input: Math.max(1, counted + request.otherTokens), estimated: true }
    }
    case 'letters':
      return { ...NO_USAGE, input: work.letters }
    case 'images': {
      // Fewer than were asked for cost no more than what came.
      const made = asList(answer?.data).length
      return pieceUsage(made > 0 ? Math.min(made, work.count) : work.count)
    }
    case 'sound':
      return countsIn(answer) ?? { ...NO_USAGE, input: transcriptionTokens(secondsIn(answer) ?? work.seconds) }
  }
}

function countsIn(answer: Tree | undefined): Usage | undefined {
  const usage = asTree(answer?.usage)
  if (!usage || usage.type === 'duration') return undefined
  const read = (value: unknown) => (typeof value === 'number' && value > 0 ? Math.floor(value) : 0)
  const heard = read(asTree(usage.input_token_details)?.audio_tokens)
  const input = read(usage.prompt_tokens) || read(usage.input_tokens) || read(usage.total_tokens)
  const output = read(usage.completion_tokens) || read(usage.output_tokens)
  if (input + output === 0 || !Number.isSafeInteger(input + output)) return undefined
  return { ...NO_USAGE, input: Math.max(0, input - heard), audioIn: Math.min(heard, input), output }
}

/** Nobody has listened to thirty years of sound. */
const LONGEST_SECONDS = 1e9

function secondsIn(answer: Tree | undefined): number | undefined {
  const told = [asTree(answer?.usage)?.seconds, answer?.duration].map(Number)
  return told.find((seconds) => seconds > 0 && seconds < LONGEST_SECONDS)
}

/** The last event of a stream that holds counts, as a vendor ends it. */
export function lastCounts(tail: string): Tree | undefined {
  for (const line of tail.split('\n').toReversed()) {
    const tree = line.startsWith('data:') ? parseTree(line.slice('data:'.length)) : undefined
    if (tree?.usage) return tree
  }
  return undefined
}
