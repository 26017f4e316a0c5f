package org.buftrail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.buftrail.jfr.dataset.DatasetLayout;
import org.buftrail.profile.output.ProfileFormat;
import org.junit.jupiter.api.Test;

final class JobArgumentsTest {
  @Test
  void namesAndOptionsMayStandInAnyOrder() {
    JobArguments arguments =
        JobArguments.of("profiles", "--by", "stage", "in", "--format", "pprof,otlp.json", "out");

    assertThat(arguments.in()).isEqualTo("in");
    assertThat(arguments.out()).isEqualTo("out");
    assertThat(arguments.by()).isEqualTo("stage");
    assertThat(arguments.formats()).containsExactly(ProfileFormat.PPROF, ProfileFormat.OTLP_JSON);
  }

  @Test
  void whatIsWrongIsSaid() {
    assertThatThrownBy(() -> JobArguments.of("profiles", "in", "out", "--loud", "1"))
        .hasMessage("no such option: --loud");
    assertThatThrownBy(() -> JobArguments.of("profiles", "in"))
        .hasMessage("profiles takes 2 names, not 1");
    assertThatThrownBy(() -> JobArguments.of("profiles", "in", "out", "--by"))
        .hasMessage("--by needs a value");
    assertThatThrownBy(() -> JobArguments.of("profiles", "in", "out", "--format", "dot"))
        .hasMessageStartingWith("--format dot: such as otlp");
    assertThatThrownBy(JobArguments::of).hasMessage("no such command: \"\"");
  }

  @Test
  void stagesAreReadFromTagsOfTaskSpans() {
    assertThat(SparkStages.of("stageId=7,stageAttempt=0,partition=3")).isEqualTo("7");
    assertThat(SparkStages.of("attempt=0, stage: 12, partition=3")).isEqualTo("12");
    assertThat(SparkStages.of("7,0,3,41,0,SUCCESS")).isEqualTo("7");
    assertThat(SparkStages.of("stageAttempt=0,partition=3")).isNull();
    assertThat(SparkStages.of("GET /orders")).isNull();
    assertThat(SparkStages.of(null)).isNull();
  }

  @Test
  void partsOfPathsAreWrittenAsDuckDbWritesThem() {
    assertThat(DatasetLayout.escaped("com.example.Shop$1 a/b"))
        .isEqualTo("com.example.Shop%241%20a%2Fb");
  }
}
