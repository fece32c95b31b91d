/** What a number may do with a contact, according to the upstream. Unknown names are passed on. */
export interface CallPermission {
  permission: {
    status: string;
    /** Unix seconds; only temporary permissions have one. */
    expiration_time?: number | undefined;
  };
  actions: {
    action_name: string;
    can_perform_action: boolean;
    limits: { time_period: string; max_allowed: number; current_usage: number }[];
  }[];
}

/** A contact, by exactly one of two ids. */
export interface CalledContact {
  /** The phone number as digits. */
  to?: string | undefined;
  /** The user id of a person whose phone number is unknown. */
  recipient?: string | undefined;
}

/** What a business may ask for when it makes or accepts a call. The upstream checks the values. */
export interface CallOptions {
  /** Comes back in the events of the call. */
  biz_opaque_callback_data?: string | undefined;
  recording?: object | undefined;
  transcription?: object | undefined;
}

/** A call to a contact, with the caller's SDP. */
export interface Offer {
  contact: CalledContact;
  options: CallOptions;
  sdp: string;
  /** Sent unchanged. */
  connection: { webrtc: { sdp: string } };
}

/** The calls of phone numbers. Every method throws `UpstreamError` when it fails. */
export interface UpstreamCalls {
  permission(phoneNumberId: string, contact: CalledContact): Promise<CallPermission>;
  /** Resolves with the new call's id, if the upstream returns it. */
  connect(phoneNumberId: string, offer: Offer): Promise<string | undefined>;
  /** Lets the media connect before the call is accepted, so that the audio starts sooner. */
  preAccept(phoneNumberId: string, callId: string, sdp: string): Promise<unknown>;
  accept(phoneNumberId: string, callId: string, sdp: string, options: CallOptions): Promise<unknown>;
  reject(phoneNumberId: string, callId: string): Promise<unknown>;
  terminate(phoneNumberId: string, callId: string): Promise<unknown>;
}
