import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../lib/call-error.ts'
import { toast } from '../../../lib/toast.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { Form, Skeleton } from '../../../ui/kit/index.ts'
import { useOpenings } from '../../../ui/use-openings.ts'
import styles from '../messages.module.css'
import { useUpdateMessage } from '../mutations.ts'
import { messageQuery } from '../queries.ts'
import { MessageFacts } from './message-facts.tsx'
import { editOf, valuesOf, type MessageValues } from './message-values.ts'
import { RecipientTable } from './recipient-table.tsx'
import { tellRefusal } from './tell-refusal.ts'
import { TextFields } from './text-fields.tsx'
import { TimeFields } from './time-fields.tsx'
import { useConfirmEveryone } from './use-confirm-everyone.tsx'

const WIDTH = 960

interface Props {
  open: boolean
  id: number
  onClose(): void
}

/** Edits a message as it is stored now, and shows who has read it. */
export default function EditMessageDrawer(props: Props) {
  const opening = useOpenings(props.open, props.id)
  return <EditMessageForm key={opening} opening={opening} {...props} />
}

function EditMessageForm({ open, id, onClose, opening }: Props & { opening: number }) {
  const { t } = useTranslation('messages')
  const { t: common } = useTranslation()
  const [form] = Form.useForm<MessageValues>()
  const stored = useQuery({ ...messageQuery(id, opening), enabled: open })
  const update = useUpdateMessage()
  const confirmEveryone = useConfirmEveryone()
  const message = stored.data

  const save = async (values: MessageValues) => {
    if (!message) return
    const edit = editOf(message, values)
    try {
      if (message.target === 'all' && edit.send_at === null && !(await confirmEveryone(null))) return
      await update.mutateAsync({ id, ...edit })
      toast.success(t('form.updated'))
      onClose()
    } catch (error) {
      tellRefusal(form, error)
    }
  }
  return (
    <FormDrawer<MessageValues>
      title={message ? t('form.editTitle', { id }) : t('form.editTitleLoading')}
      open={open}
      onClose={onClose}
      form={form}
      initialValues={message ? valuesOf(message) : {}}
      submitText={common('save')}
      submitting={update.isPending}
      onSubmit={(values) => void save(values)}
      width={WIDTH}
      {...(!message && { placeholder: waiting() })}
    >
      {message && (
        <>
          <MessageFacts message={message} />
          {message.state !== 'scheduled' && <p className={styles.hint}>{t('form.editHint')}</p>}
          <TextFields />
          {message.state === 'scheduled' && <TimeFields known={message.send_at} />}
          {message.state !== 'scheduled' && <RecipientTable id={id} />}
        </>
      )}
    </FormDrawer>
  )

  function waiting() {
    if (!stored.error) return <Skeleton active paragraph={{ rows: 8 }} />
    const isGone = stored.error instanceof CallError && stored.error.code === 'message_not_found'
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
