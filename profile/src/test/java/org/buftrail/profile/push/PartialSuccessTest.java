package org.buftrail.profile.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesPartialSuccess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PartialSuccessTest {
  private static PartialSuccess read(ExportProfilesPartialSuccess said) {
    return PartialSuccess.read(
        ExportProfilesServiceResponse.newBuilder().setPartialSuccess(said).build().toByteArray());
  }

  @Test
  void saysWhatWasRejectedInOneLine() {
    PartialSuccess said =
        read(
            ExportProfilesPartialSuccess.newBuilder()
                .setRejectedProfiles(3)
                .setErrorMessage("too many\nstacks")
                .build());
    assertThat(said.rejection()).isEqualTo("the receiver rejected 3 profiles: too many stacks");
    assertThat(said.warning()).isEmpty();
    said = read(ExportProfilesPartialSuccess.newBuilder().setRejectedProfiles(1).build());
    assertThat(said.rejection()).isEqualTo("the receiver rejected 1 profile");
  }

  @Test
  void aMessageWithoutRejectionIsAWarning() {
    PartialSuccess said =
        read(ExportProfilesPartialSuccess.newBuilder().setErrorMessage("just a warning").build());
    assertThat(said.rejection()).isEmpty();
    assertThat(said.warning()).isEqualTo("the receiver warns: just a warning");
  }

  @Test
  void isSilentWhenAllWasTakenOrTheAnswerIsAnother() {
    for (PartialSuccess said :
        List.of(
            read(ExportProfilesPartialSuccess.getDefaultInstance()),
            PartialSuccess.read(new byte[] {(byte) 0xFF, 1, 2}),
            PartialSuccess.read(new byte[0]))) {
      assertThat(said.rejection()).isEmpty();
      assertThat(said.warning()).isEmpty();
    }
  }
}
