// Chrome compiles a file that begins with this comment as a whole, in a thread of its own, instead of each function when it is first called
// (explicit compile hints of V8; other browsers read a comment), so that what a page draws first blocks it for a shorter time (decision 0048).
import webpack from 'webpack';

const name = 'CompileHints';
const hint = '//# allFunctionsCalledOnLoad\n';
/** Smaller files, in bytes, are not worth the comment. */
const least = 40_000;

/** webpack plugin: puts the hint before each large script. */
export class CompileHints {
  apply(compiler) {
    compiler.hooks.compilation.tap(name, (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1; // after the minimizer, which drops comments
      compilation.hooks.processAssets.tap({ name, stage }, (assets) => {
        for (const [file, source] of Object.entries(assets))
          if (file.endsWith('.js') && source.size() > least)
            compilation.updateAsset(file, new webpack.sources.ConcatSource(hint, source));
      });
    });
  }
}
