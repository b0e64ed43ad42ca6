import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError, isEditConflict } from '../../../api/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { SkeletonForm } from '../../../ui/feedback/skeleton.tsx'
import { ConflictNotice } from '../../../ui/feedback/conflict-alert.tsx'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { useCreateChannel, useUpdateChannel, channelQuery } from '../api.ts'
import { useOpenings } from '../../../lib/use-openings.ts'
import { ChannelForm } from './channel-form.tsx'
import type { ChannelBody } from './channel-values.ts'

interface Props {
  open: boolean
  onClose(): void
}

export function CreateChannelDrawer({ open, onClose }: Props) {
  const { t } = useTranslation('channels')
  const opening = useOpenings(open)
  const creation = useCreateChannel()
  const create = (body: ChannelBody, { disabled }: { disabled: boolean }) =>
    creation.mutate(
      { ...body, disabled },
      {
        onSuccess: () => {
          toast.success(t(disabled ? 'steps.createdDisabled' : 'form.created'))
          onClose()
        },
      },
    )
  return (
    <ChannelForm
      key={opening}
      title={t('form.title')}
      open={open}
      onClose={onClose}
      submitText={t('form.submit')}
      submitting={creation.isPending}
      onSubmit={create}
    />
  )
}

interface EditProps extends Props {
  id: number
  /** Renders the form in the side panel instead of a drawer. Receives a function that detects unsaved changes. */
  inPanel?(hasChanges: () => boolean): void
}

/** Loads the stored channel and edits it. */
export function EditChannelForm({ open, id, onClose, inPanel }: EditProps) {
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
      open={open}
      onClose={onClose}
      {...(inPanel && { inPanel })}
      submitText={common('save')}
      submitting={update.isPending}
      onSubmit={save}
      {...(isEditConflict(update.error) && { notice: <ConflictNotice text={t('form.conflict')} onReload={reload} /> })}
      {...(stored.data ? { channel: stored.data } : { placeholder: waiting() })}
    />
  )

  /** Keeps edited fields and updates the others. */
  async function reload() {
    await stored.refetch()
    update.reset()
  }

  function waiting() {
    if (!stored.error) return <SkeletonForm fields={8} />
    const isGone = stored.error instanceof ApiError && stored.error.code === 'channel_not_found'
    return (
      <LoadError
        title={isGone ? t('form.notFound') : common('errors.loadFailed')}
        error={stored.error}
        retrying={stored.isFetching}
        onRetry={stored.refetch}
      />
    )
  }
}
