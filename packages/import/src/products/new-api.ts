import { type ChannelTarget, type Product, sameTypes } from './product.ts'

const OPENAI = 1
/** Its key is the login of a ChatGPT account for a ChatGPT backend. */
const CODEX = 57

const FIRST_OWN_TYPE = 49

export const newApi: Product = {
  name: 'new-api',
  channelTypes: new Map<number, ChannelTarget>([
    ...sameTypes((type) => type < FIRST_OWN_TYPE),
    [
      CODEX,
      {
        type: OPENAI,
        disabledReason:
          'Codex channels use the login of a ChatGPT account, which is not supported here: imported as OpenAI, disabled and without a key; enter an API key and enable it',
      },
    ],
  ]),
  otherTypes: {
    49: 'Coze',
    50: 'Kling',
    51: 'Jimeng',
    52: 'Vidu',
    53: 'Submodel',
    54: 'Doubao Video',
    55: 'Sora',
    56: 'Replicate',
  },
  tokenColumns: {
    models: 'model_limits',
    modelsEnabled: 'model_limits_enabled',
    addresses: 'allow_ips',
  },
  logTypes: { 1: 1, 2: 2, 3: 3, 4: 4, 5: 6 },
  logDuration: { column: 'use_time', unitMs: 1000 },
  autoGroups: ['default'],
  optionNames: {},
  usesGithubIds: true,
}
