import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { forgetUser } from '../../../api/session.ts'

/** Goes to the login screen once the server knows this session no more. */
export function useLeave() {
  const navigate = useNavigate()
  const client = useQueryClient()
  return () => {
    forgetUser('logged-out')
    void navigate('/login')
    client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'status' })
  }
}
