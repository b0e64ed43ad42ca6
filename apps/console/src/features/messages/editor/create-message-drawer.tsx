import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../lib/call-error.ts'
import { toast } from '../../../lib/toast.ts'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { Form } from '../../../ui/kit/index.ts'
import { useOpenings } from '../../../ui/use-openings.ts'
import { useCreateMessage } from '../mutations.ts'
import { BLANK, newMessage, type NewMessageValues } from './message-values.ts'
import { RecipientFields } from './recipient-fields.tsx'
import { tellRefusal } from './tell-refusal.ts'
import { TextFields } from './text-fields.tsx'
import { TimeFields } from './time-fields.tsx'
import { useConfirmEveryone } from './use-confirm-everyone.tsx'

const WIDTH = 960

interface Props {
  open: boolean
  onClose(): void
}

export default function CreateMessageDrawer(props: Props) {
  return <CreateMessageForm key={useOpenings(props.open)} {...props} />
}

function CreateMessageForm({ open, onClose }: Props) {
  const { t } = useTranslation('messages')
  const [form] = Form.useForm<NewMessageValues>()
  const creation = useCreateMessage()
  const confirmEveryone = useConfirmEveryone()
  const when = Form.useWatch('when', form)
  const isUnderWay = useRef(false)

  const create = async (values: NewMessageValues) => {
    // Enter can be pressed again before the button shows that it waits, and a message sent twice is read twice.
    if (isUnderWay.current) return
    isUnderWay.current = true
    try {
      const body = newMessage({ ...BLANK, ...values })
      if (body.all && !(await confirmEveryone(body.send_at ?? null))) return
      await creation.mutateAsync(body)
      toast.success(t('form.created'))
      onClose()
    } catch (error) {
      tellRefusal(form, error)
      if (error instanceof CallError && isUnsure(error)) toast.info(t('form.unsure'))
    } finally {
      isUnderWay.current = false
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
      width={WIDTH}
    >
      <TextFields />
      <RecipientFields />
      <TimeFields />
    </FormDrawer>
  )
}

/** No answer, or one from somewhere on the way. */
const isUnsure = ({ status }: CallError): boolean => status === 0 || status >= 500
