import { newApi } from './new-api.ts'
import { type Product, sameTypes } from './product.ts'

/** All type numbers equal ours. */
export const veloera: Product = {
  ...newApi,
  name: 'veloera',
  channelTypes: new Map(sameTypes(() => true)),
  otherTypes: {},
  logTypes: { 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6 },
  usesGithubIds: false,
}
