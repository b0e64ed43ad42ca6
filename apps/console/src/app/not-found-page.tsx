import { CompassOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useStatus } from '../api/status.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Button } from '../ui/kit/index.ts'

export default function NotFoundPage() {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { enable_data_export } = useStatus()
  return (
    <EmptyState
      isPage
      tide="clear"
      icon={<CompassOutlined aria-hidden />}
      title={t('notFound.title')}
      hint={t('notFound.hint')}
      action={
        <>
          <Button type="primary" onClick={() => void navigate(enable_data_export ? '/app/dashboard' : '/app/tokens')}>
            {t('notFound.console')}
          </Button>
          <Button onClick={() => void navigate('/')}>{t('notFound.action')}</Button>
        </>
      }
    />
  )
}
