import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CallError, isEditConflict } from '../../../lib/call-error.ts'
import { toast } from '../../../lib/toast.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/kit/index.ts'
import { useCreateChannel, useUpdateChannel } from '../mutations.ts'
import { channelQuery } from '../queries.ts'
import { useOpenings } from '../../../ui/use-openings.ts'
import { ChannelForm } from './channel-form.tsx'
import type { ChannelBody } from './channel-values.ts'

interface Props {
  open: boolean
  onClose(): void
}

/** Adding comes from the left. */
export function CreateChannelDrawer({ open, onClose }: Props) {
  const { t } = useTranslation('channels')
  const opening = useOpenings(open)
  const creation = useCreateChannel()
  const create = (body: ChannelBody) =>
    creation.mutate(body, {
      onSuccess: () => {
        toast.success(t('form.created'))
        onClose()
      },
    })
  return (
    <ChannelForm
      key={opening}
      title={t('form.title')}
      placement="left"
      open={open}
      onClose={onClose}
      submitText={t('form.submit')}
      submitting={creation.isPending}
      onSubmit={create}
    />
  )
}

/** Editing comes from the right, with the channel as it is stored now. */
export function EditChannelDrawer({ open, id, onClose }: Props & { id: number }) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const opening = useOpenings(open, id)
  const stored = useQuery({ ...channelQuery(id, opening), enabled: open })
  const update = useUpdateChannel()
  const save = (body: ChannelBody) =>
    update.mutate(
      { ...body, id, ifMatch: stored.data?.etag },
      {
        onSuccess: () => {
          toast.success(t('form.saved'))
          onClose()
        },
      },
    )
  return (
    <ChannelForm
      key={opening}
      title={stored.data ? t('form.editTitle', { name: stored.data.name }) : t('form.editTitleLoading')}
      placement="right"
      open={open}
      onClose={onClose}
      submitText={common('save')}
      submitting={update.isPending}
      onSubmit={save}
      {...(isEditConflict(update.error) && { notice: <ConflictNotice text={t('form.conflict')} onReload={reload} /> })}
      {...(stored.data ? { channel: stored.data } : { placeholder: waiting() })}
    />
  )

  /** The form keeps what was entered and takes over the rest. */
  async function reload() {
    await stored.refetch()
    update.reset()
  }

  function waiting() {
    if (!stored.error) return <Skeleton active paragraph={{ rows: 12 }} />
    const isGone = stored.error instanceof CallError && stored.error.code === 'channel_not_found'
    return (
      <ErrorState
        title={isGone ? t('form.notFound') : common('errors.loadFailed')}
        error={stored.error}
        retrying={stored.isFetching}
        onRetry={stored.refetch}
      />
    )
  }
}
