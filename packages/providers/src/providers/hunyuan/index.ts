import { classifyOpenai } from '../../openai-compatible/classify.ts'
import { translateAnswer } from '../../custom-protocols/translate-response.ts'
import { defineProvider } from '../../provider.ts'
import { encodeHunyuan } from './encode-request.ts'
import { hunyuanReader } from './read-response.ts'
import { signForTencent } from './sign.ts'

const HOME = 'https://hunyuan.tencentcloudapi.com'

/** Tencent's own chat call: every request is signed, and every word is written with a capital. */
export const hunyuan = defineProvider({
  id: 'hunyuan',
  baseUrl: HOME,
  models: ['hunyuan-lite', 'hunyuan-standard', 'hunyuan-standard-256K', 'hunyuan-pro'],
  authorize: () => ({}),
  sign: signForTencent,
  conversations: [
    {
      dialect: 'openai-chat',
      // The signature holds for the root of a host only.
      url: ({ baseUrl }) => `${new URL(baseUrl || HOME).origin}/`,
      encode: encodeHunyuan,
      unpack: (response, context) => translateAnswer(response, context, hunyuanReader),
    },
  ],
  classify: classifyOpenai,
})
