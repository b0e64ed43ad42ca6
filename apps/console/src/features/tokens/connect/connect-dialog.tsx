import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api/errors.ts'
import { useIsPhone } from '../../../lib/use-media.ts'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { Button, Modal } from '../../../ui/kit/index.ts'
import { focusFirst } from '../../../ui/overlay/focus-first.ts'
import { useOpenings } from '../../../lib/use-openings.ts'
import { tokenQuery } from '../api.ts'
import { ConnectPanel } from './connect-panel.tsx'
import styles from './connect.module.css'

interface Props {
  open: boolean
  id: number
  isNew: boolean
  onClose(): void
}

/** Shows how to use a token. Ends the creation of a token. */
export default function ConnectDialog({ open, id, isNew, onClose }: Props) {
  const { t } = useTranslation('connect')
  const { t: common } = useTranslation()
  const isPhone = useIsPhone()
  const opening = useOpenings(open, id)
  const token = useQuery({ ...tokenQuery(id), enabled: open })
  const isGone = token.error instanceof ApiError && token.error.code === 'token_not_found'
  return (
    <Modal
      title={token.data ? t(isNew ? 'createdTitle' : 'title', { name: token.data.name }) : t('titleLoading')}
      open={open}
      onCancel={onClose}
      footer={
        isNew ? (
          <Button type="primary" onClick={onClose}>
            {t('done')}
          </Button>
        ) : null
      }
      width={isPhone ? '100%' : 880}
      {...(isPhone ? { className: styles.fullScreen! } : { style: { top: 48 } })}
      closable={{ 'aria-label': common('close') }}
      destroyOnHidden
    >
      {token.data && (
        <div key={opening} ref={focusFirst}>
          <ConnectPanel token={token.data} isNew={isNew} />
        </div>
      )}
      {!token.data && token.error && (
        <LoadError
          title={isGone ? t('notFound') : common('errors.loadFailed')}
          error={token.error}
          retrying={token.isFetching}
          onRetry={token.refetch}
        />
      )}
      {!token.data && !token.error && <SkeletonLines lines={8} title />}
    </Modal>
  )
}
