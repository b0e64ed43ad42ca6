import { asList, asText, asTree } from '../tree.ts'
import type { ChatRequest } from './request.ts'

/** What to count of a prompt: texts for a tokenizer, and the tokens everything else is known or taken to cost. */
export interface PromptParts {
  readonly texts: readonly string[]
  readonly otherTokens: number
}

const PER_MESSAGE = 3
const REPLY_PRIMER = 3
const PER_NAME = 1
const PER_TOOL = 8
const LOW_DETAIL_IMAGE = 85
/** 85 and four tiles of 170: an image of usual size. Nothing is fetched only to measure it. */
const IMAGE = 765
const AUDIO = 100
const FILE = 5000

export function promptParts({ tree }: ChatRequest): PromptParts {
  const texts: string[] = []
  let otherTokens = REPLY_PRIMER
  const take = (text: unknown) => {
    if (typeof text === 'string' && text !== '') texts.push(text)
  }

  for (const value of asList(tree.messages)) {
    const message = asTree(value) ?? {}
    otherTokens += PER_MESSAGE
    take(message.role)
    if (typeof message.name === 'string') otherTokens += PER_NAME
    take(message.name)
    take(message.content)
    for (const part of asList(message.content)) {
      take(asTree(part)?.text)
      otherTokens += mediaTokens(part)
    }
    for (const call of asList(message.tool_calls)) {
      const called = asTree(asTree(call)?.function)
      take(called?.name)
      take(called?.arguments)
    }
  }
  for (const value of asList(tree.tools)) {
    const tool = asTree(asTree(value)?.function) ?? {}
    otherTokens += PER_TOOL
    take(tool.name)
    take(tool.description)
    if (tool.parameters !== undefined) take(JSON.stringify(tool.parameters))
  }
  return { texts, otherTokens }
}

function mediaTokens(value: unknown): number {
  const part = asTree(value) ?? {}
  switch (asText(part.type)) {
    case 'image_url':
      return asTree(part.image_url)?.detail === 'low' ? LOW_DETAIL_IMAGE : IMAGE
    case 'input_audio':
      return AUDIO
    case 'file':
      return FILE
    default:
      return 0
  }
}
