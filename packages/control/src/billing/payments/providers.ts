import type { Settings } from '@tidegate/contract'
import { epay } from './epay.ts'
import type { PaymentProvider } from './provider.ts'
import { stripe } from './stripe.ts'

export const PROVIDERS: readonly PaymentProvider[] = [epay, stripe]

export function openProviders(settings: Settings): PaymentProvider[] {
  return PROVIDERS.filter((provider) => provider.isOpen(settings))
}
