// When a file begins with this comment, Chrome compiles the whole file in a separate thread instead of each function at its first
// call (explicit compile hints of V8; other browsers ignore the comment). The code of the first render then blocks the page for
// less time (decision 0048).
import webpack from 'webpack';

const name = 'CompileHints';
const hint = '//# allFunctionsCalledOnLoad\n';
/** Minimum file size in bytes: smaller files gain too little from the comment. */
const least = 40_000;

/** A webpack plugin that puts the hint at the top of each large script. */
export class CompileHints {
  apply(compiler) {
    compiler.hooks.compilation.tap(name, (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1; // after the minimizer, which removes comments
      compilation.hooks.processAssets.tap({ name, stage }, (assets) => {
        for (const [file, source] of Object.entries(assets))
          if (file.endsWith('.js') && source.size() > least)
            compilation.updateAsset(file, new webpack.sources.ConcatSource(hint, source));
      });
    });
  }
}
