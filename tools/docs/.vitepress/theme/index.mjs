import Theme from 'vitepress/theme-without-fonts';
import './wattle.css';

export default Theme;
