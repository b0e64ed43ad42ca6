import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

/** How the own account is protected, and so with what its owner can prove to be at the keyboard. */
export const securityQuery = queryOptions({ queryKey: ['security'], queryFn: () => call(api.getSecurity) })
