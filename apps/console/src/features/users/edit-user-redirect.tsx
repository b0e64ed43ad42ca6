import { Navigate, useParams } from 'react-router'

/** An address of its own that opens a drawer over the list: for the user it names, or for a new one. */
export default function EditUserRedirect() {
  const { id } = useParams()
  const drawer = id === undefined ? 'drawer=create' : `drawer=edit&id=${encodeURIComponent(id)}`
  return <Navigate replace to={`/admin/users?${drawer}`} />
}
