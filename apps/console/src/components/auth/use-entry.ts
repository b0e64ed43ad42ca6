import type { User } from '@tidegate/contract/api'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { rememberUser } from '../../api/session.ts'
import { toast } from '../../lib/toast.ts'

/** What every way of signing in ends with: the user is remembered, greeted, and where they wanted to be. */
export function useEntry(): (user: User, destination: string) => void {
  const { t } = useTranslation('entry')
  const navigate = useNavigate()
  const client = useQueryClient()
  return (user, destination) => {
    // Whatever was read before was read by somebody else.
    client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'status' })
    rememberUser(user)
    toast.success(t('success'))
    void navigate(destination, { replace: true })
  }
}
