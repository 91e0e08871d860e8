// An async boundary: shared versions are negotiated before any module imports React.
import(/* webpackChunkName: "start" */ './bootstrap');
