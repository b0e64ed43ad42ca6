import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../lib/call-error.ts'
import { useIsPhone } from '../../../lib/use-media.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Modal, Skeleton } from '../../../ui/kit/index.ts'
import { useOpenings } from '../../../ui/use-openings.ts'
import { tokenQuery } from '../queries.ts'
import { ConnectPanel } from './connect-panel.tsx'
import styles from './connect.module.css'

interface Props {
  open: boolean
  id: number
  onClose(): void
}

/** Shows how programs connect with a token, ready to copy. */
export default function ConnectDialog({ open, id, onClose }: Props) {
  const { t } = useTranslation('connect')
  const { t: common } = useTranslation()
  const isPhone = useIsPhone()
  const opening = useOpenings(open, id)
  const token = useQuery({ ...tokenQuery(id, opening), enabled: open })
  const isGone = token.error instanceof CallError && token.error.code === 'token_not_found'
  return (
    <Modal
      title={token.data ? t('title', { name: token.data.name }) : t('titleLoading')}
      open={open}
      onCancel={onClose}
      footer={null}
      width={isPhone ? '100%' : 880}
      {...(isPhone ? { className: styles.fullScreen! } : { style: { top: 48 } })}
      closable={{ 'aria-label': common('close') }}
      destroyOnHidden
    >
      {token.data && <ConnectPanel key={opening} token={token.data} />}
      {!token.data && token.error && (
        <ErrorState
          title={isGone ? t('notFound') : common('errors.loadFailed')}
          error={token.error}
          retrying={token.isFetching}
          onRetry={token.refetch}
        />
      )}
      {!token.data && !token.error && <Skeleton active paragraph={{ rows: 8 }} />}
    </Modal>
  )
}
