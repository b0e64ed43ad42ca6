import { adaptClaude } from '../../anthropic-compatible/adapt.ts'
import { CLAUDE_MODELS } from '../../anthropic-compatible/models.ts'
import { defineProvider, type Target } from '../../provider.ts'
import { classifyAmazon } from './classify.ts'
import { amazonName } from './model-names.ts'
import { unpackEvents } from './read-events.ts'
import { readKey, signForAmazon } from './sign.ts'

function invokeUrl({ baseUrl, key, model }: Target, stream: boolean): string {
  const { region } = readKey(key)
  const home = baseUrl || `https://bedrock-runtime.${region}.amazonaws.com`
  const action = stream ? 'invoke-with-response-stream' : 'invoke'
  return `${home.replace(/\/+$/, '')}/model/${encodeURIComponent(amazonName(model, region))}/${action}`
}

/** Claude in Amazon's cloud: Anthropic's words, in a path that names the model, signed. */
export const bedrock = defineProvider({
  id: 'bedrock',
  baseUrl: '',
  models: CLAUDE_MODELS,
  authorize: () => ({}),
  sign: signForAmazon,
  conversations: [
    {
      dialect: 'anthropic-messages',
      url: (target, { stream }) => invokeUrl(target, stream),
      inlinesMedia: true,
      unpack: unpackEvents,
      adapt(body, context) {
        const adapted = adaptClaude(body, context)
        return {
          ...adapted,
          changes: {
            ...adapted.changes,
            anthropic_version: 'bedrock-2023-05-31',
            model: undefined,
            stream: undefined,
          },
        }
      },
    },
  ],
  classify: classifyAmazon,
})
