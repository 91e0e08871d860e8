// An async boundary: shared versions are agreed on before anything imports React.
import(/* webpackChunkName: "start" */ './bootstrap');
