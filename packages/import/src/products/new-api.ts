import type { Product } from './product.ts'
import { sameTypes } from './same-types.ts'

const FIRST_OF_ITS_OWN = 49

export const newApi: Product = {
  name: 'new-api',
  channelTypes: new Map(sameTypes((type) => type < FIRST_OF_ITS_OWN)),
  otherTypes: {
    49: 'Coze',
    50: 'Kling',
    51: 'Jimeng',
    52: 'Vidu',
    53: 'Submodel',
    54: 'Doubao Video',
    55: 'Sora',
    56: 'Replicate',
    57: 'Codex',
  },
  tokenColumns: {
    models: 'model_limits',
    modelsEnabled: 'model_limits_enabled',
    addresses: 'allow_ips',
  },
  logTypes: { 1: 1, 2: 2, 3: 3, 4: 4, 5: 6 },
  logDuration: { column: 'use_time', unitMs: 1000 },
  optionNames: {},
  numbersGithubAccounts: true,
}
