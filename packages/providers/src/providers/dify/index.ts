import { asText, type JsonObject } from '@tidegate/dialects'
import { mergeTurns } from '../../custom-protocols/merge-turns.ts'
import {
  type ChatMessage,
  readMessages,
  rejectOutputFormat,
  rejectTools,
} from '../../custom-protocols/read-chat-request.ts'
import { translateResponse } from '../../custom-protocols/translate-response.ts'
import { endpoint } from '../../target.ts'
import { classifyOpenai } from '../../openai-compatible/classify.ts'
import { bearer } from '../../openai-compatible/create-provider.ts'
import { defineProvider, type EncodeContext } from '../../provider.ts'
import { createDifyReader } from './read-response.ts'
import { sendToDify } from './upload-images.ts'

const HOME = 'https://api.dify.ai'

/** Dify applications, hosted by Dify or by the operator. */
export const dify = defineProvider({
  id: 'dify',
  baseUrl: HOME,
  authorize: bearer,
  conversations: [
    {
      dialect: 'openai-chat',
      url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1/chat-messages'),
      encode: encodeDify,
      send: sendToDify,
      unpack: (response, context) => translateResponse(response, context, createDifyReader()),
    },
  ],
  classify: classifyOpenai,
})

/** An image of a message. A data URL stays in `url` until it is uploaded. */
interface DifyFile {
  readonly type: 'image'
  readonly transfer_method: 'remote_url'
  readonly url: string
}

/** The application behind the key is the model, so sampling parameters have no effect. */
export function encodeDify(body: JsonObject, { stream, caller }: Pick<EncodeContext, 'stream' | 'caller'>): JsonObject {
  const messages = readMessages(body)
  rejectTools(body, messages)
  rejectOutputFormat(body)
  const { instructions, turns } = mergeTurns(messages)
  const images = turns.at(-1)?.images ?? []
  return {
    inputs: {},
    query: buildQuery(instructions, turns),
    response_mode: stream ? 'streaming' : 'blocking',
    user: asText(body.user) || caller(),
    auto_generate_name: false,
    ...(images.length > 0 && { files: images.map(imageFile) }),
  }
}

/** Dify stores conversations itself and accepts one message at a time, so previous messages become part of it. */
function buildQuery(instructions: string, turns: readonly ChatMessage[]): string {
  const [only, ...more] = turns
  if (instructions === '' && only?.role === 'user' && more.length === 0) return only.text
  const history = turns.map(({ role, text }) => `${role === 'assistant' ? 'Assistant' : 'User'}: ${text}`)
  return [...(instructions === '' ? [] : [`System: ${instructions}`]), ...history].join('\n\n')
}

function imageFile(url: string): DifyFile {
  return { type: 'image', transfer_method: 'remote_url', url }
}
