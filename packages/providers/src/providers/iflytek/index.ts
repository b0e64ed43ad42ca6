import { classifyOpenai } from '../../openai-compatible/classify.ts'
import { translateAnswer } from '../../custom-protocols/translate-response.ts'
import { defineProvider } from '../../provider.ts'
import { askOverSocket } from './send-over-socket.ts'
import { encodeIflytek } from './encode-request.ts'
import { iflytekReader } from './read-response.ts'
import { signForIflytek } from './sign-url.ts'
import { versionOf } from './version.ts'

const HOME = 'https://spark-api.xf-yun.com'

/** Spark, which speaks over a socket, and signs the address of it. */
export const iflytek = defineProvider({
  id: 'iflytek',
  baseUrl: HOME,
  models: ['SparkDesk', 'SparkDesk-v1.1', 'SparkDesk-v2.1', 'SparkDesk-v3.1', 'SparkDesk-v3.5', 'SparkDesk-v4.0'],
  authorize: () => ({}),
  signUrl: signForIflytek,
  conversations: [
    {
      dialect: 'openai-chat',
      url(target) {
        const base = (target.baseUrl || HOME).replace(/^ws/i, 'http').replace(/\/+$/, '')
        return `${base}/${encodeURIComponent(versionOf(target))}/chat`
      },
      encode: encodeIflytek,
      ask: askOverSocket,
      unpack: (response, context) => translateAnswer(response, context, iflytekReader),
    },
  ],
  classify: classifyOpenai,
})
