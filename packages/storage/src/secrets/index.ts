export {
  activateKey,
  loadKeyRing,
  prepareKey,
  readWrappedKeys,
  retireKey,
  rewrapKeys,
  SecretKeyError,
} from './key-rows.ts'
export type { KeyRing, WrappedKey } from './key-ring.ts'
export type { HashPurpose, SealPurpose } from './purposes.ts'
export { countSealed, resealAll, type ResealProgress, type SealedCount } from './reseal.ts'
export { rotateSecrets, type Rotation, type RotateOptions } from './rotate.ts'
export { VaultError } from './vault-error.ts'
