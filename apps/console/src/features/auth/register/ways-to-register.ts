import type { SignInServiceName, Status } from '@tidegate/contract/api'
import { openServices } from '../../../components/auth/service-names.ts'

export interface WaysToRegister {
  isOpen: boolean
  byPassword: boolean
  /** Those that make an account for somebody they do not know yet. */
  services: SignInServiceName[]
}

export function waysToRegister(status: Status): WaysToRegister {
  const byPassword = status.register_enabled && status.password_register
  const services = status.register_enabled ? openServices(status).filter((service) => service !== 'telegram') : []
  return { isOpen: byPassword || services.length > 0, byPassword, services }
}
