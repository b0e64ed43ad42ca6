import type { Message } from '@tidegate/contract/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/errors.ts'
import { LoadError } from '../../components/resource/load-error.tsx'
import { useFieldErrors } from '../../components/resource/use-field-errors.ts'
import { formatCount, formatExactTime } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { useOpenings } from '../../lib/use-openings.ts'
import { SkeletonForm } from '../../ui/feedback/skeleton.tsx'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { App, Form } from '../../ui/kit/index.ts'
import { Facts } from '../../ui/page/facts.tsx'
import { accountCountQuery, createMessage, messageQuery, MESSAGES, updateMessage } from './api.ts'
import { CreatedTime, percent, SendState, Target } from './columns.tsx'
import { LivePreview, RecipientFields, TextFields, TimeFields } from './message-fields.tsx'
import {
  BLANK,
  editOf,
  ERROR_FIELDS,
  newMessage,
  valuesOf,
  type MessageValues,
  type NewMessageValues,
} from './message-values.ts'
import styles from './messages.module.css'
import { RecipientTable } from './recipients.tsx'

interface Props {
  open: boolean
  onClose(): void
}

export function CreateMessageDrawer(props: Props) {
  return <CreateMessageForm key={useOpenings(props.open)} {...props} />
}

function CreateMessageForm({ open, onClose }: Props) {
  const { t } = useTranslation('messages')
  const [form] = Form.useForm<NewMessageValues>()
  const creation = useListChange(createMessage)
  const showError = useFieldErrors(form, ERROR_FIELDS)
  const confirmEveryone = useConfirmEveryone()
  const when = Form.useWatch('when', form)
  const isSending = useRef(false)

  const create = async (values: NewMessageValues) => {
    // Enter can be pressed again before the button shows its loading state.
    if (isSending.current) return
    isSending.current = true
    try {
      const body = newMessage({ ...BLANK, ...values })
      if (body.all && !(await confirmEveryone(body.send_at ?? null))) return
      await creation.mutateAsync(body)
      toast.success(t('form.created'))
      onClose()
    } catch (error) {
      showError(error)
      if (error instanceof ApiError && isUnsure(error)) toast.info(t('form.unsure'))
    } finally {
      isSending.current = false
    }
  }
  return (
    <FormDrawer<NewMessageValues>
      title={t('form.createTitle')}
      open={open}
      onClose={onClose}
      form={form}
      initialValues={BLANK}
      submitText={when === 'later' ? t('form.schedule') : t('form.send')}
      submitting={creation.isPending}
      onSubmit={(values) => void create(values)}
    >
      <TextFields />
      <RecipientFields />
      <TimeFields />
      <LivePreview />
    </FormDrawer>
  )
}

/** Without a response the message may have been sent. */
const isUnsure = ({ status }: ApiError): boolean => status === 0 || status >= 500

interface EditProps extends Props {
  id: number
}

/** Edits a message and shows who has read it. */
export function EditMessageDrawer(props: EditProps) {
  const opening = useOpenings(props.open, props.id)
  return <EditMessageForm key={opening} opening={opening} {...props} />
}

function EditMessageForm({ open, id, onClose, opening }: EditProps & { opening: number }) {
  const { t } = useTranslation('messages')
  const { t: common } = useTranslation()
  const [form] = Form.useForm<MessageValues>()
  const stored = useQuery({ ...messageQuery(id, opening), enabled: open })
  const update = useListChange(updateMessage)
  const showError = useFieldErrors(form, ERROR_FIELDS)
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
      showError(error)
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
      {...(!message && { placeholder: waiting() })}
    >
      {message && (
        <>
          <MessageFacts message={message} />
          {message.state !== 'scheduled' && <p className={styles.hint}>{t('form.editHint')}</p>}
          <TextFields />
          {message.state === 'scheduled' && <TimeFields known={message.send_at} />}
          <LivePreview />
          {message.state !== 'scheduled' && <RecipientTable id={id} />}
        </>
      )}
    </FormDrawer>
  )

  function waiting() {
    if (!stored.error) return <SkeletonForm fields={5} />
    const isGone = stored.error instanceof ApiError && stored.error.code === 'message_not_found'
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

/** Errors are shown by the form. */
function useListChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const client = useQueryClient()
  const reload = () => client.invalidateQueries({ queryKey: MESSAGES })
  return useMutation({
    mutationFn: change,
    meta: { showsErrors: true },
    onSuccess: reload,
    onError: () => void reload(),
  })
}

function MessageFacts({ message }: { message: Message }) {
  const { t } = useTranslation('messages')
  const { total_recipients: total, read_count: read, read_rate: rate } = message.stats
  return (
    <div className={styles.facts}>
      <Facts
        facts={[
          { term: t('facts.id'), value: <span className="number">{message.id}</span> },
          { term: t('facts.created'), value: <CreatedTime message={message} /> },
          { term: t('facts.target'), value: <Target message={message} /> },
          { term: t('facts.state'), value: <SendState message={message} /> },
          { term: t('facts.recipients'), value: <span className="number">{formatCount(total)}</span> },
          {
            term: t('facts.read'),
            value: (
              <span className="number">
                {formatCount(read)} {total > 0 && <span className="secondary">({percent(rate)})</span>}
              </span>
            ),
          },
        ]}
      />
    </div>
  )
}

/** Asks for confirmation before a message is sent to all users, and shows their number. */
function useConfirmEveryone() {
  const { t } = useTranslation('messages')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const client = useQueryClient()
  return async (sendAt: number | null): Promise<boolean> => {
    const count = await client.fetchQuery(accountCountQuery).catch(() => null)
    return modal.confirm({
      title: t('everyone.title'),
      content: (
        <>
          <p>{count === null ? t('everyone.textUnknown') : t('everyone.text', { count: formatCount(count) })}</p>
          <p>
            {sendAt === null ? t('everyone.now') : t('everyone.later', { time: formatExactTime(sendAt).slice(0, -3) })}
          </p>
        </>
      ),
      okText: t('everyone.ok'),
      cancelText: common('cancel'),
    })
  }
}
