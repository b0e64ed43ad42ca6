import { endpoint } from '../../endpoint.ts'
import { classifyOpenai } from '../../openai-compatible/classify.ts'
import { bearer } from '../../openai-compatible/create-provider.ts'
import { translateAnswer } from '../../custom-protocols/translate-response.ts'
import { defineProvider } from '../../provider.ts'
import { encodeDify } from './encode-request.ts'
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
