import { useMutation, useQuery, useQueryClient, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/errors.ts'
import { toast } from '../../lib/toast.ts'
import { useOpenings } from '../../lib/use-openings.ts'
import { SkeletonForm } from '../../ui/feedback/skeleton.tsx'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { Form, type FormInstance } from '../../ui/kit/index.ts'
import { LoadError } from './load-error.tsx'
import { useFieldErrors, type FieldErrors } from './use-field-errors.ts'

interface CommonProps<Result> {
  open: boolean
  onClose(): void
  submitText?: string
  /** Fields that error codes are about. */
  errors?: FieldErrors
  /** Queries that show the object. */
  reloads: QueryKey
  /** Toast after saving, unless `onSaved` shows the result. */
  saved?: string
  onSaved?(result: Result): void
}

interface CreateProps<Values extends object, Result> extends CommonProps<Result> {
  title: string
  initial: () => Values
  save(values: Values): Promise<Result>
  children: ReactNode | ((form: FormInstance<Values>) => ReactNode)
}

/** Creates an object. Each opening starts with the initial values. */
export function CreateDrawer<Values extends object, Result>(props: CreateProps<Values, Result>) {
  const opening = useOpenings(props.open)
  return <CreateForm key={opening} {...props} />
}

function CreateForm<Values extends object, Result>(props: CreateProps<Values, Result>) {
  const [form] = Form.useForm<Values>()
  const initial = props.initial()
  const submission = useSubmission(form, props, props.save)
  return (
    <FormDrawer<Values> {...submission} title={props.title} open={props.open} form={form} initialValues={initial}>
      {typeof props.children === 'function' ? props.children(form) : props.children}
    </FormDrawer>
  )
}

interface EditProps<Values extends object, Data, Result, Key extends QueryKey> extends CommonProps<Result> {
  /** The object to edit. Loaded again on each opening. */
  id: number | string
  query: UseQueryOptions<Data, Error, Data, Key>
  title: (data: Data | undefined) => string
  /** Titles of the error state by error code, such as `token_not_found`. */
  loadErrors?: Partial<Record<string, string>>
  /** An object that cannot be edited shows `locked` in place of the form. */
  isLocked?: (data: Data) => boolean
  locked?: ReactNode
  initial: (data: Data) => Values
  /** Returns null if nothing has changed. */
  save(values: Values, data: Data): Promise<Result> | null
  children: (data: Data, form: FormInstance<Values>) => ReactNode
}

/** Edits one object as it is stored now. */
export function EditDrawer<Values extends object, Data, Result, Key extends QueryKey>(
  props: EditProps<Values, Data, Result, Key>,
) {
  const opening = useOpenings(props.open, props.id)
  return <EditForm key={opening} opening={opening} {...props} />
}

function EditForm<Values extends object, Data, Result, Key extends QueryKey>({
  opening,
  ...props
}: EditProps<Values, Data, Result, Key> & { opening: number }) {
  const { t } = useTranslation()
  const [form] = Form.useForm<Values>()
  const { query, open, title, initial, loadErrors = {}, isLocked, locked, children } = props
  const stored = useQuery({
    ...query,
    queryKey: [...query.queryKey, { opening }] as unknown as Key,
    enabled: open,
    gcTime: 0,
    staleTime: Infinity,
  })
  const data = stored.data
  const submission = useSubmission(form, props, (values) => {
    if (data === undefined) return null
    return props.save({ ...initial(data), ...values }, data)
  })
  return (
    <FormDrawer<Values>
      {...submission}
      title={title(data)}
      open={open}
      form={form}
      initialValues={data === undefined ? {} : initial(data)}
      {...(data === undefined ? { placeholder: placeholder() } : { placeholder: isLocked?.(data) ? locked : null })}
    >
      {data !== undefined && children(data, form)}
    </FormDrawer>
  )

  function placeholder() {
    if (!stored.error) return <SkeletonForm fields={6} />
    const code = stored.error instanceof ApiError ? stored.error.code : ''
    return (
      <LoadError
        title={loadErrors[code] ?? t('errors.loadFailed')}
        error={stored.error}
        retrying={stored.isFetching}
        onRetry={stored.refetch}
      />
    )
  }
}

function useSubmission<Values extends object, Result>(
  form: FormInstance<Values>,
  { onClose, submitText, errors = {}, reloads, saved, onSaved }: CommonProps<Result>,
  save: (values: Values) => Promise<Result> | null,
) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const showError = useFieldErrors(form, errors)
  // Enter can be pressed again before the button is drawn as busy.
  const isSaving = useRef(false)
  const submission = useMutation({
    mutationFn: (saving: Promise<Result>) => saving,
    meta: { showsErrors: true },
    onSettled: () => {
      isSaving.current = false
    },
    onError: (error) => {
      void client.invalidateQueries({ queryKey: reloads })
      showError(error)
    },
    onSuccess: async (result) => {
      await client.invalidateQueries({ queryKey: reloads })
      if (saved !== undefined) toast.success(saved)
      onClose()
      onSaved?.(result)
    },
  })
  return {
    onClose,
    submitting: submission.isPending,
    submitText: submitText ?? t('save'),
    onSubmit: (values: Values) => {
      if (isSaving.current) return
      const saving = save(values)
      isSaving.current = saving !== null
      if (saving) return submission.mutate(saving)
      toast.info(t('unchanged'))
      onClose()
    },
  }
}
