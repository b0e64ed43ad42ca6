import { LockOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Button } from '../ui/kit/index.ts'

/** Takes the place of a screen for which the user's role is too low. */
export function NoAccess() {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  return (
    <EmptyState
      isPage
      tide="clear"
      icon={<LockOutlined aria-hidden />}
      title={t('noAccess.title')}
      hint={t('noAccess.hint')}
      action={
        <Button type="primary" onClick={() => void navigate('/app/tokens')}>
          {t('noAccess.action')}
        </Button>
      }
    />
  )
}
