package org.buftrail.jfr;

import org.jspecify.annotations.Nullable;

/**
 * Decodes stack traces when they are met, which are then not passed over first: for a thread that
 * has to read the constants alone. The batches wait in the pipeline until names are known.
 */
final class StacksWhenMet implements Constants.StackReader {
  private final StackPipeline pipeline;
  private final StackDecoder.Layouts layouts;
  private @Nullable StackBatch open;
  private int rank;
  private int bytes;
  private int waitingFrames;

  /** Begins with the stack traces of a chunk, whose layouts are given. */
  StacksWhenMet(StackPipeline pipeline, StackDecoder.Layouts layouts) {
    this.pipeline = pipeline;
    this.layouts = layouts;
    pipeline.begin(layouts);
  }

  @Override
  public boolean read(Window window) throws DamageException {
    StackBatch batch = open;
    if (batch == null) {
      batch = pipeline.next();
      batch.begin(rank, rank);
      pipeline.decoder().begin(batch);
      bytes = 0;
      open = batch;
    }
    int start = window.position;
    pipeline.decoder().read(window, layouts, batch, window.limit);
    rank++;
    bytes += window.position - start;
    if (bytes >= StackPipeline.LARGEST_BATCH) {
      end();
    }
    return waitingFrames <= StackPipeline.MOST_WAITING;
  }

  /** Adds the last batch, if there is one, to the pipeline. */
  void end() {
    StackBatch batch = open;
    if (batch != null) {
      pipeline.decoder().end(layouts, batch);
      waitingFrames += batch.frames;
      open = null;
      pipeline.addDecoded(rank);
    }
  }
}
