import * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { call } from '../../api/client.ts'
import { forgetUser, leaveBy } from '../../api/session.ts'
import { toast } from '../../lib/toast.ts'

export function useLogout() {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => leaveBy(() => call(api.logout)),
    onSuccess: () => {
      forgetUser('logged-out')
      void navigate('/login')
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'status' })
      toast.success(t('loggedOut'))
    },
  })
}
