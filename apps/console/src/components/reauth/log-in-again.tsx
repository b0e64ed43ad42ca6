import * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { Button } from '../../ui/kit/index.ts'
import { call } from '../../api/client.ts'
import { loginPath } from '../../lib/return-path.ts'
import { forgetUser, leaveBy } from '../../api/session.ts'

/** For an account that only other services know: a fresh login is its proof. */
export function LogInAgain({ onLeave }: { onLeave(): void }) {
  const { t } = useTranslation('proof')
  const leave = useLeaveToLogin(onLeave)
  return (
    <>
      <p>{t('logInAgain.text')}</p>
      <Button block type="primary" loading={leave.isPending} onClick={() => leave.mutate()}>
        {t('logInAgain.action')}
      </Button>
    </>
  )
}

/** Logs out and goes to the login screen, which leads back here. */
function useLeaveToLogin(onLeave: () => void) {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      leaveBy(async () => {
        await call(api.logout)
        onLeave()
        // First there, then forgotten: a screen that nobody may see any more would send the person elsewhere.
        await navigate(loginPath({ expired: false, returnTo: pathname + search }))
        forgetUser('logged-out')
        client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'status' })
      }),
  })
}
