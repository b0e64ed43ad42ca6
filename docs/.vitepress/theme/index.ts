import DefaultTheme from 'vitepress/theme'
import './tidegate.css'

export default DefaultTheme
