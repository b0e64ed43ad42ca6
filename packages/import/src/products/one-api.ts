import { type ChannelTarget, type Product, sameTypes } from './product.ts'

const OPENAI = 1

/** OpenAI-compatible providers, with their addresses. */
const OPENAI_COMPATIBLE: Readonly<Record<number, string>> = {
  2: 'https://oa.api2d.net',
  4: 'https://api.closeai-proxy.xyz',
  5: 'https://api.openai-sb.com',
  26: 'https://api.baichuan-ai.com',
  29: 'https://api.groq.com/openai',
  32: 'https://api.stepfun.com',
  39: 'https://api.together.xyz',
  48: 'https://spark-api-open.xf-yun.com',
  49: 'https://dashscope.aliyuncs.com/compatible-mode',
}

/** Type numbers differ from ours after 25; equal numbers beyond are coincidence. */
const RENUMBERED: readonly [number, number][] = [
  [27, 35],
  [28, 42],
  [30, 4],
  [31, 31],
  [33, 33],
  [35, 34],
  [36, 43],
  [37, 39],
  [40, 45],
  [42, 41],
  [44, 40],
  [45, 48],
  [47, 46],
  [50, OPENAI],
  [51, 24],
]

export const oneApi: Product = {
  name: 'one-api',
  channelTypes: new Map<number, ChannelTarget>([
    ...sameTypes((type) => type === 1 || type === 3 || (type >= 6 && type <= 25)),
    ...RENUMBERED.map(([theirs, type]): [number, ChannelTarget] => [theirs, { type }]),
    ...Object.entries(OPENAI_COMPATIBLE).map(([theirs, baseUrl]): [number, ChannelTarget] => [
      Number(theirs),
      { type: OPENAI, baseUrl },
    ]),
  ]),
  otherTypes: { 34: 'Coze', 38: 'DeepL', 41: 'Novita', 43: 'Proxy', 46: 'Replicate' },
  tokenColumns: { models: 'models', addresses: 'subnet' },
  logTypes: { 1: 1, 2: 2, 3: 3, 4: 4 },
  logDuration: { column: 'elapsed_time', unitMs: 1 },
  optionNames: {
    OidcEnabled: 'oidc.enabled',
    OidcClientId: 'oidc.client_id',
    OidcClientSecret: 'oidc.client_secret',
    OidcWellKnown: 'oidc.well_known',
    OidcAuthorizationEndpoint: 'oidc.authorization_endpoint',
    OidcTokenEndpoint: 'oidc.token_endpoint',
    OidcUserinfoEndpoint: 'oidc.user_info_endpoint',
  },
  usesGithubIds: false,
}
