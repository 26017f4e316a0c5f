package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a step throws ends the run, on whichever thread it happens, and the next run works. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class StackPipelineTest {
  private static final int BATCHES_BEFORE = 3;

  @TempDir private Path directory;
  private FileChannel channel;
  private Window window;
  private ChunkReader reader;
  private Metadata metadata;
  private long end;
  private final Constants constants = new Constants();
  private final FailingSteps steps = new FailingSteps();
  private final StackPipeline pipeline = new StackPipeline(constants, steps);

  enum Step {
    PREPARE,
    NAME,
    CONSUME,
    NONE
  }

  /** Fails at one of its steps. */
  private static final class FailingSteps implements StackPipeline.Steps {
    private Step failing = Step.NONE;
    private int named;
    private int consumed;
    private int traces;

    private void at(Step step, int batch) {
      if (step == failing && batch >= BATCHES_BEFORE) {
        throw new IllegalStateException("no " + step);
      }
    }

    @Override
    public void prepare() {
      named = 0;
      consumed = 0;
      traces = 0;
      at(Step.PREPARE, BATCHES_BEFORE);
    }

    @Override
    public void name(StackBatch batch) {
      at(Step.NAME, named++);
    }

    @Override
    public void consume(StackBatch batch) {
      at(Step.CONSUME, consumed++);
      traces += batch.count;
    }
  }

  @BeforeEach
  void open() throws IOException {
    channel = FileChannel.open(Recordings.unpack("jdk-500-50-100", directory));
    window = new Window(channel, null);
    ChunkFinder.Chunk chunk = Objects.requireNonNull(new ChunkFinder(window).next());
    ChunkHeader header = Objects.requireNonNull(chunk.header);
    end = chunk.end;
    reader =
        new ChunkReader(
            new ChunkTexts(), constants, new Selection(Options.DEFAULT), new Pairings());
    metadata = Objects.requireNonNull(reader.open(window, header, end, StackPipelineTest::fail));
    reader.readEvents(window, header, metadata, null, StackPipelineTest::fail);
  }

  @AfterEach
  void close() throws IOException {
    channel.close();
  }

  private static void fail(DamageException damage) {
    throw new AssertionError(damage);
  }

  /** Reads the constants and runs the pipeline over their stack traces. */
  private void run(Step failing) throws IOException, DamageException {
    steps.failing = failing;
    constants.begin(metadata, window.compressed);
    constants.stacks.wantAll();
    for (long checkpoint : reader.checkpoints()) {
      constants.index(window, checkpoint, end);
    }
    StackDecoder.Layouts layouts =
        Objects.requireNonNull(StackDecoder.Layouts.compile(metadata, window.compressed));
    pipeline.run(window, layouts, true);
  }

  @Test
  void consumesEveryStackTrace() throws IOException, DamageException {
    run(Step.NONE);
    assertThat(steps.traces).isEqualTo(constants.stacks.found()).isGreaterThan(100);
    assertThat(steps.consumed).isGreaterThan(BATCHES_BEFORE);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aStepThatFailsEndsTheRunAndNotTheNext(Step failing) throws IOException, DamageException {
    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(() -> run(failing)).hasMessage("no " + failing);
      run(Step.NONE);
      assertThat(steps.traces).isEqualTo(constants.stacks.found());
    }
  }
}
