import type { TextPart, ToolResultPart } from '../canonical/index.ts'

const ERROR_PREFIX = 'Error: '

/** OpenAI's results have no error flag, so the text shows that the tool failed. */
export function withErrorPrefix(result: ToolResultPart): ToolResultPart {
  const { content, isError } = result
  if (!isError) return result
  const index = content.findIndex(({ type }) => type === 'text')
  if (index === -1)
    return { ...result, content: [{ type: 'text', text: 'The tool failed without a message.' }, ...content] }
  const first = content[index] as TextPart
  if (/^\s*error\b/i.test(first.text)) return result
  return { ...result, content: content.with(index, { ...first, text: ERROR_PREFIX + first.text }) }
}

/** A breakpoint on the result applies to its last part. */
export function withContentBreakpoint(result: ToolResultPart): ToolResultPart {
  const { content, cache } = result
  const last = content.at(-1)
  return cache && last ? { ...result, content: [...content.slice(0, -1), { ...last, cache }] } : result
}
