import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { loginPath } from '../../../lib/return-path.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../ui/kit/index.ts'

/** Whoever is logged in came to bind an account; everybody else came to log in. */
export function WayOn({ returnTo = '/' }: { returnTo?: string }) {
  const { t } = useTranslation('entry')
  const navigate = useNavigate()
  const isLoggedIn = useSession(({ user }) => user !== null)
  const next = isLoggedIn ? '/app/me?tab=security' : loginPath({ expired: false, returnTo })
  return (
    <Button type="primary" size="large" block onClick={() => void navigate(next, { replace: true })}>
      {t(isLoggedIn ? 'callback.toSettings' : 'callback.toLogin')}
    </Button>
  )
}
