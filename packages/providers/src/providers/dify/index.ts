import { asText, type JsonObject } from '@tidegate/dialects'
import { takeTurns } from '../../custom-protocols/merge-turns.ts'
import {
  type ChatMessage,
  messagesOf,
  refuseOutputFormat,
  refuseTools,
} from '../../custom-protocols/read-chat-request.ts'
import { translateAnswer } from '../../custom-protocols/translate-response.ts'
import { endpoint } from '../../target.ts'
import { classifyOpenai } from '../../openai-compatible/classify.ts'
import { bearer } from '../../openai-compatible/create-provider.ts'
import { defineProvider, type EncodeContext } from '../../provider.ts'
import { createDifyReader } from './read-response.ts'
import { askDify } from './upload-images.ts'

const HOME = 'https://api.dify.ai'

/** Applications of Dify's, at its makers' or at the operator's own address. */
export const dify = defineProvider({
  id: 'dify',
  baseUrl: HOME,
  authorize: bearer,
  conversations: [
    {
      dialect: 'openai-chat',
      url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1/chat-messages'),
      encode: encodeDify,
      ask: askDify,
      unpack: (response, context) => translateAnswer(response, context, createDifyReader()),
    },
  ],
  classify: classifyOpenai,
})

/** A picture of a question. One that came with it is kept under `url` as a data URL until it is uploaded. */
interface DifyFile {
  readonly type: 'image'
  readonly transfer_method: 'remote_url'
  readonly url: string
}

/** The application behind the key is the model: what it answers by, no request can change. */
export function encodeDify(body: JsonObject, { stream, caller }: Pick<EncodeContext, 'stream' | 'caller'>): JsonObject {
  const messages = messagesOf(body)
  refuseTools(body, messages)
  refuseOutputFormat(body)
  const { instructions, turns } = takeTurns(messages)
  const images = turns.at(-1)?.images ?? []
  return {
    inputs: {},
    query: queryOf(instructions, turns),
    response_mode: stream ? 'streaming' : 'blocking',
    user: asText(body.user) || caller(),
    auto_generate_name: false,
    ...(images.length > 0 && { files: images.map(fileOf) }),
  }
}

/** Dify keeps conversations itself and takes one question at a time: what was said before is told with it. */
function queryOf(instructions: string, turns: readonly ChatMessage[]): string {
  const [only, ...more] = turns
  if (instructions === '' && only?.role === 'user' && more.length === 0) return only.text
  const told = turns.map(({ role, text }) => `${role === 'assistant' ? 'Assistant' : 'User'}: ${text}`)
  return [...(instructions === '' ? [] : [`System: ${instructions}`]), ...told].join('\n\n')
}

function fileOf(url: string): DifyFile {
  return { type: 'image', transfer_method: 'remote_url', url }
}
