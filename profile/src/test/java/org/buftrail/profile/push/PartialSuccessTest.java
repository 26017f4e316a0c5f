package org.buftrail.profile.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesPartialSuccess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import org.junit.jupiter.api.Test;

final class PartialSuccessTest {
  private static String describe(ExportProfilesPartialSuccess said) {
    return PartialSuccess.describe(
        ExportProfilesServiceResponse.newBuilder().setPartialSuccess(said).build().toByteArray());
  }

  @Test
  void saysWhatWasRejectedInOneLine() {
    assertThat(
            describe(
                ExportProfilesPartialSuccess.newBuilder()
                    .setRejectedProfiles(3)
                    .setErrorMessage("too many\nstacks")
                    .build()))
        .isEqualTo("the receiver rejected 3 profiles: too many stacks");
  }

  @Test
  void isSilentWhenAllWasTakenOrTheAnswerIsAnother() {
    assertThat(describe(ExportProfilesPartialSuccess.getDefaultInstance())).isEmpty();
    assertThat(PartialSuccess.describe(new byte[] {(byte) 0xFF, 1, 2})).isEmpty();
    assertThat(PartialSuccess.describe(new byte[0])).isEmpty();
  }
}
